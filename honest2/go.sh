export PATH=$PATH:/usr/local/cuda/bin
nvidia-smi --query-gpu=name,driver_version --format=csv
M=gpu__time_duration.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum,lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum,lts__t_sectors_srcunit_tex_op_write.sum,dram__bytes_read.sum,dram__bytes_write.sum,smsp__inst_executed.sum
one() { nvcc -O3 -std=c++17 -arch=sm_90 -o /tmp/$1 $2 && /tmp/$1 && ncu --clock-control none --cache-control all --csv --page raw --metrics $M /tmp/$1 > $OUT/$1.csv 2> $OUT/$1.err; tail -2 $OUT/$1.err; }
one library honest2/library.cu
one l2_strides examples/l2_strides.cu
ls -la $OUT
