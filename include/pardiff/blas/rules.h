/*===- pardiff/blas/rules.h - Rules for one type and one API -------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Included by pardiff/blas.h once for each floating-point type and set of names,
 * so without a guard.
 *
 * Each call is brought into one form (struct call): matrices by columns,
 * arguments by value. A matrix by rows is its transpose by columns, so other
 * flags and sizes do. In this form there are, of each function,
 *
 *   keep      in front of the call: what the reverse sweep needs, in a copy
 *   back      the adjoints of the arguments, into the shadows; of alpha and beta
 *             by value
 *   tangent   in front of the call: the tangent of what it writes
 *
 * and around them the functions with the signature that a registration asks for.
 * The parameters of each are listed once, as LIST(K): K is R for the declaration,
 * A for a call, G for a gradient (pointers with shadows), D for a derivative
 * (also values).
 *
 *===------------------------------------------------------------------------===*/

#include <pardiff/blas/names.h>

#include <pardiff/blas/calls.h>

#include <pardiff/blas/matrices.h>

#include <pardiff/blas/vectors.h>

#include <pardiff/blas/register.h>

#include <pardiff/blas/undefine.h>
