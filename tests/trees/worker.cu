// Launches in this process and in others, in the way that the first argument names.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern char** environ;

__global__ void work(int* out) { out[threadIdx.x] = 1; }

static int launch(int times) {
    int* out = nullptr;
    if (cudaMalloc(&out, 128) != cudaSuccess) return 1;
    for (int i = 0; i < times; ++i) work<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

static void again(const char* how, const char* times, const char* status) {
    execl("/proc/self/exe", "worker", how, times, status, nullptr);
    _exit(99);
}

static int wait_for_child() {
    int status = 0;
    wait(&status);
    return WEXITSTATUS(status);
}

// A process that ends as soon as the next one runs, and so on: whoever looks for it finds it gone.
[[noreturn]] static void run_away() {
    setsid();
    environ = nullptr;
    while (true)
        if (fork() != 0) _exit(0);
}

int main(int count, char** arguments) {
    const std::string how = count > 1 ? arguments[1] : "";
    const int number = count > 2 ? std::atoi(arguments[2]) : 1, status = count > 3 ? std::atoi(arguments[3]) : 0;
    if (how == "launch") return launch(number) != 0 ? 1 : status;
    if (how == "copy") return std::system(("cp /proc/" + std::to_string(getpid()) + "/exe " + arguments[2]).c_str());
    if (how == "fork") {  // and no call of CUDA before
        if (fork() == 0) _exit(launch(2));
        const int failed = launch(1);
        return failed + wait_for_child();
    }
    if (how == "spawn") {
        if (fork() == 0) again("launch", "2", "5");
        return launch(1) == 0 && wait_for_child() == 5 ? 0 : 1;
    }
    if (how == "exec") {
        launch(1);
        again("launch", "2", "6");
    }
    if (how == "outlive") {
        if (fork() == 0) {
            usleep(300'000);
            _exit(launch(2));
        }
        return launch(1) == 0 ? 7 : 1;
    }
    if (how == "daemon") {
        if (fork() == 0) {
            setsid();
            if (fork() != 0) _exit(0);
            const int nowhere = open("/dev/null", O_RDWR);
            for (int stream = 0; stream < 3; ++stream) dup2(nowhere, stream);
            if (chdir("/") != 0) _exit(1);
            usleep(300'000);
            _exit(launch(2));
        }
        return launch(1);
    }
    if (how == "linger") {  // long after everybody has lost patience
        if (fork() == 0) {
            setsid();
            environ = nullptr;
            execl("/bin/sleep", "sleep", "3600", nullptr);
        }
        return launch(1);
    }
    if (how == "bomb") {
        launch(1);
        for (int i = 0; i < 4; ++i)
            if (fork() == 0) run_away();
        while (true) pause();
    }
    if (how == "hold") {  // so many bytes of the device; until NAME.go is there, where a name is given
        void* held = nullptr;
        std::printf("%s\n", cudaMalloc(&held, number) == cudaSuccess ? "held" : "refused");
        std::fflush(stdout);
        if (count < 4) return 0;
        const std::string name = arguments[3];
        close(open((name + ".held").c_str(), O_CREAT | O_WRONLY, 0600));
        while (access((name + ".go").c_str(), F_OK) != 0) usleep(10'000);
    }
    return 0;
}
