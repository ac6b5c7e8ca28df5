// Like zjin-lcf/HeCBench src/ccl-cuda/main.cu; flags: -lnccl -lmpi
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char* argv[]) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    ncclComm_t comm;
    ncclUniqueId id;
    if (rank == 0) ncclGetUniqueId(&id);
    MPI_Bcast((void*)&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
    cudaSetDevice(rank);
    ncclCommInitRank(&comm, ranks, id, rank);
    float *send, *receive;
    cudaMalloc(&send, 4096);
    cudaMalloc(&receive, 4096);
    cudaStream_t s;
    cudaStreamCreate(&s);
    ncclAllReduce(send, receive, 1024, ncclFloat, ncclSum, comm, s);
    cudaStreamSynchronize(s);
    ncclCommDestroy(comm);
    MPI_Finalize();
    printf("PASS\n");
    return 0;
}
