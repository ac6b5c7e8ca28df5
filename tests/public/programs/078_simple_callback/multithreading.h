// Threads and a barrier for them, over POSIX.
#pragma once
#include <pthread.h>
typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0
struct CUTBarrier {
    pthread_mutex_t mutex;
    pthread_cond_t all;
    int released;
    int count;
};
CUTThread cutStartThread(CUT_THREADROUTINE func, void* data);
CUTBarrier cutCreateBarrier(int count);
void cutIncrementBarrier(CUTBarrier* barrier);
void cutWaitForBarrier(CUTBarrier* barrier);
