// Libraries of a program that have a CUDA runtime linked into them, as Python's extension modules do: their calls are
// led to tilescope's runtime (take_over.h) as soon as they are loaded. What is opened by the name of a library that
// tilescope has one for (libcudart, libcuda, libnvrtc, libnvJitLink), wherever it lies, is tilescope's.
//
// Guarantees: what has no such runtime is left as it is. A library's kernels, which its constructors registered with
// the runtime within, are registered once more, with ours. Does not model: libraries without symbols; device code over
// several files within one (-rdc=true), whose registration cannot be made twice; calls of the runtime that constructors
// make; libraries that are opened by a name without a slash, until another one is opened by a path. What is left so is
// refused by name where it asks for the driver's private functions (cuGetExportTable).
#pragma once

namespace tilescope::runtime {

// Looks at what is loaded by now.
void follow_libraries();

}  // namespace tilescope::runtime
