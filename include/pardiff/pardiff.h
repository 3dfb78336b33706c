/*===- pardiff/pardiff.h - Ask the compiler for a gradient ---------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Declares the entry points and the markers, for C and C++. Nothing in this file is
 * needed at link time: the plugin replaces the calls and removes the markers. A file
 * that calls an entry point must be compiled by clang with -fpass-plugin=LLVMPardiff.so,
 * otherwise the link ends in an undefined reference to __pardiff_autodiff.
 *
 *   double dot(int n, const double *x, const double *y);
 *
 *   __pardiff_autodiff_void((void *)dot, pardiff_const, n, pardiff_dup, x, dx,
 *                           pardiff_const, y);       // dx[i] += y[i]
 *
 * The call runs the function and then adds the derivative of its result to the shadows.
 *
 * Each argument of the function stands in the call in its order, after a marker that
 * says how it takes part:
 *
 *   pardiff_const x          It has no derivative.
 *   pardiff_dup x, dx        x points to memory, dx to its shadow: memory of the same
 *                            layout. On input, dx holds the derivative of the objective
 *                            by the values in x after the call (0 if they do not matter);
 *                            on return, by those before it. So derivatives of what the
 *                            function reads are added, those of what it overwrites are
 *                            used up.
 *   pardiff_dupnoneed x, dx  The same; the contents of x are not wanted after the call.
 *   pardiff_out x            x is a float or double by value. Its derivative is
 *                            returned.
 *   no marker                Floating point by value: pardiff_out. A pointer:
 *                            pardiff_dup, so a shadow follows. An integer:
 *                            pardiff_const.
 *
 * The call returns the derivatives of the pardiff_out arguments: nothing if there are
 * none, one as a scalar, several as a structure in order. The value that the function
 * returns is seeded with 1. With pardiff_primal_return in front of the arguments, that
 * value comes first in the result.
 *
 * Every function whose name contains __pardiff_autodiff is an entry point. In C, a suffix
 * gives it another result type:
 *
 *   struct two { double x, y; };
 *   struct two __pardiff_autodiff_two(void *, ...);
 *
 * In C++ the result type is the first template argument.
 *
 * __pardiff_fwddiff is forward mode: the derivative in one direction, or in several at
 * once, see docs/modes.md.
 *
 *   double dy = __pardiff_fwddiff((void *)f, pardiff_dup, x, dx, pardiff_const, n);
 *
 * Split mode runs the two sweeps in two calls with the same arguments. What the reverse
 * sweep needs of the forward sweep is on a tape, see docs/modes.md.
 *
 *   void *tape = __pardiff_augmentfwd((void *)f, pardiff_dup, x, dx, pardiff_const, n);
 *   __pardiff_reverse((void *)f, pardiff_dup, x, dx, pardiff_const, n, dy, tape);
 *
 * docs/usage.md says more.
 *
 *===------------------------------------------------------------------------===*/

#ifndef PARDIFF_PARDIFF_H
#define PARDIFF_PARDIFF_H

#ifdef __cplusplus
extern "C" {
#endif

/* The markers. Only their names count; they have no definition and no value. Weak, so
 * that a program links even where one is mentioned outside of a request. */
extern int pardiff_const __attribute__((weak));
extern int pardiff_dup __attribute__((weak));
extern int pardiff_dupnoneed __attribute__((weak));
extern int pardiff_out __attribute__((weak));
extern int pardiff_primal_return __attribute__((weak));
extern int pardiff_const_return __attribute__((weak));
extern int pardiff_width __attribute__((weak));
extern int pardiff_tape __attribute__((weak));
extern int pardiff_allocated __attribute__((weak));

#ifdef __cplusplus
}

/* The declaration that the plugin looks for. */
template <typename Result, typename... Arguments>
Result __pardiff_autodiff_request(void *f, Arguments... arguments);

/* Pointers are passed as void *: a function that is only declared must not have a local
 * type, that of a lambda say, in its signature. */
template <typename T> inline T __pardiff_argument(T argument) {
  return argument;
}
template <typename T> inline void *__pardiff_argument(T *argument) {
  return (void *)argument;
}

/* __pardiff_autodiff<Result>(f, ...): Result is double unless it is given; f is a
 * function or a pointer to one. Arguments are passed by value. */
template <typename Result = double, typename Function, typename... Arguments>
inline Result __pardiff_autodiff(Function *f, Arguments... arguments) {
  return __pardiff_autodiff_request<Result>((void *)f,
                                            __pardiff_argument(arguments)...);
}

/* Forward mode in the same way. */
template <typename Result, typename... Arguments>
Result __pardiff_fwddiff_request(void *f, Arguments... arguments);

template <typename Result = double, typename Function, typename... Arguments>
inline Result __pardiff_fwddiff(Function *f, Arguments... arguments) {
  return __pardiff_fwddiff_request<Result>((void *)f,
                                           __pardiff_argument(arguments)...);
}

/* The two calls of split mode. */
template <typename Result, typename... Arguments>
Result __pardiff_augmentfwd_request(void *f, Arguments... arguments);
template <typename Result, typename... Arguments>
Result __pardiff_reverse_request(void *f, Arguments... arguments);

template <typename Result = void *, typename Function, typename... Arguments>
inline Result __pardiff_augmentfwd(Function *f, Arguments... arguments) {
  return __pardiff_augmentfwd_request<Result>(
      (void *)f, __pardiff_argument(arguments)...);
}
template <typename Result = double, typename Function, typename... Arguments>
inline Result __pardiff_reverse(Function *f, Arguments... arguments) {
  return __pardiff_reverse_request<Result>((void *)f,
                                           __pardiff_argument(arguments)...);
}

#else

double __pardiff_autodiff(void *f, ...);
float __pardiff_autodiff_float(void *f, ...);
void __pardiff_autodiff_void(void *f, ...);
double __pardiff_fwddiff(void *f, ...);
float __pardiff_fwddiff_float(void *f, ...);
void __pardiff_fwddiff_void(void *f, ...);
void *__pardiff_augmentfwd(void *f, ...);
double __pardiff_reverse(void *f, ...);
float __pardiff_reverse_float(void *f, ...);
void __pardiff_reverse_void(void *f, ...);
unsigned long __pardiff_augmentsize(void *f, ...);

#endif

#endif /* PARDIFF_PARDIFF_H */
