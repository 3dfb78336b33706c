// The header compiles alone, in C and C++, without a warning.
// RUN: %plain-clang -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only %s
// RUN: %plain-clang -std=c23 -Wall -Wextra -pedantic -Werror -fsyntax-only %s
// RUN: %plain-clang -x c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only %s
// RUN: %plain-clang -x c++ -std=c++20 -Wall -Wextra -pedantic -Werror -fsyntax-only %s
#include <pardiff/pardiff.h>
#include <pardiff/pardiff.h>

static double f(double x) { return x; }
double use(void) { return __pardiff_autodiff((void *)f, pardiff_out, 1.0); }
