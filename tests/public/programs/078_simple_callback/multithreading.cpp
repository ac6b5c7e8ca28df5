#include "multithreading.h"
CUTThread cutStartThread(CUT_THREADROUTINE func, void* data) {
    pthread_t thread;
    pthread_create(&thread, NULL, func, data);
    pthread_detach(thread);
    return thread;
}
CUTBarrier cutCreateBarrier(int count) {
    CUTBarrier barrier;
    pthread_mutex_init(&barrier.mutex, 0);
    pthread_cond_init(&barrier.all, 0);
    barrier.count = 0;
    barrier.released = count;
    return barrier;
}
void cutIncrementBarrier(CUTBarrier* barrier) {
    pthread_mutex_lock(&barrier->mutex);
    if (++barrier->count >= barrier->released) pthread_cond_signal(&barrier->all);
    pthread_mutex_unlock(&barrier->mutex);
}
void cutWaitForBarrier(CUTBarrier* barrier) {
    pthread_mutex_lock(&barrier->mutex);
    while (barrier->count < barrier->released) pthread_cond_wait(&barrier->all, &barrier->mutex);
    pthread_mutex_unlock(&barrier->mutex);
}
