// Opens libraries and calls a function of each: opener LIBRARY FUNCTION ...
#include <dlfcn.h>

#include <cstdio>

int main(int count, char** words) {
    int wrong = 0;
    for (int i = 1; i + 1 < count; i += 2) {
        void* const library = dlopen(words[i], RTLD_NOW);
        if (library == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
        wrong += reinterpret_cast<int (*)()>(dlsym(library, words[i + 1]))();
    }
    return wrong;
}
