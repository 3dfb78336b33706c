//===- Support/Library.cpp - Library functions without a derivative -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace pardiff;

/// Functions of C and of C++'s run time.
static constexpr StringLiteral InactiveNames[] = {
    // Output. (Input may overwrite values with derivatives: not here.)
    "printf", "dprintf", "madvise", "fprintf", "vprintf", "vfprintf", "puts",
    "fputs", "putchar", "fputc", "putc", "_IO_putc", "fwrite", "write",
    "fflush", "perror", "snprintf", "sprintf", "vsnprintf", "__printf_chk",
    "__fprintf_chk", "__snprintf_chk", "__sprintf_chk", "__vsnprintf_chk",
    "fopen", "fclose", "setvbuf", "setbuf", "ferror", "feof", "fseek", "ftell",
    "rewind", "remove", "getchar", "fgetc", "getc", "fgets", "ungetc",
    "putwchar", "wprintf", "fputws", "fputwc",
    // Text.
    "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp",
    "strcoll", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk",
    "strtok", "strerror", "strcpy", "strncpy", "stpcpy", "strcat", "strncat",
    "__strcpy_chk", "__strncpy_chk", "__strcat_chk", "__strncat_chk", "strtol",
    "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold", "atoi",
    "atol", "atoll", "atof", "memcmp", "bcmp", "memchr", "wcslen", "isalpha",
    "isdigit", "isalnum", "isspace", "isupper", "islower", "isprint", "ispunct",
    "toupper", "tolower", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__isoc99_strtol", "__isoc23_strtol",
    "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
    // Integers.
    "abs", "labs", "llabs", "ffs",
    // Time, chance, the process.
    "clock", "time", "clock_gettime", "gettimeofday", "difftime", "localtime",
    "gmtime", "mktime", "strftime", "rand", "srand", "rand_r", "random",
    "srandom", "drand48", "srand48", "lrand48", "getenv", "getpid", "usleep",
    "sleep", "nanosleep", "sched_yield", "abort", "exit", "_exit", "_Exit",
    "quick_exit", "__asan_handle_no_return", "__assert_fail", "atexit",
    "malloc_usable_size", "signal", "raise", "omp_get_wtime",
    "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads",
    "omp_in_parallel", "__errno_location", "__stack_chk_fail", "fegetround",
    "feclearexcept", "fetestexcept",
    // Exceptions and the run time of C++.
    "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw",
    "__cxa_begin_catch", "__cxa_end_catch", "__cxa_rethrow",
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort",
    "__cxa_atexit", "__cxa_thread_atexit", "__cxa_get_exception_ptr",
    "__cxa_pure_virtual", "__cxa_throw_bad_array_new_length", "__cxa_bad_cast",
    "__cxa_bad_typeid", "_Unwind_Resume", "__clang_call_terminate",
    "_ZSt9terminatev", "__gxx_personality_v0", "_ZSt18uncaught_exceptionv"};

/// Streams, exceptions, hashing and locales of libstdc++.
static constexpr StringLiteral InactivePrefixes[] = {
    "_ZNSo",
    "_ZNSi",
    "_ZNSt13basic_ostreamI",
    "_ZNSt13basic_istreamI",
    "_ZStls",
    "_ZStrsI",
    "_ZNSt8ios_base",
    "_ZNKSt8ios_base",
    "_ZSt4endl",
    "_ZSt4ends",
    "_ZSt5flush",
    "_ZSt16__ostream",
    "_ZSt7getline",
    "_ZNSt9basic_ios",
    "_ZNKSt9basic_ios",
    "_ZNSt14basic_ofstream",
    "_ZNSt14basic_ifstream",
    "_ZNSt13basic_filebuf",
    "_ZNSt6locale",
    "_ZNKSt6locale",
    "_ZNSt5ctype",
    "_ZNKSt5ctype",
    "_ZNSt11logic_error",
    "_ZNSt13runtime_error",
    "_ZNSt12out_of_range",
    "_ZNSt16invalid_argument",
    "_ZNSt12length_error",
    "_ZNSt12domain_error",
    "_ZNSt11range_error",
    "_ZNSt14overflow_error",
    "_ZNSt15underflow_error",
    "_ZNSt9exception",
    "_ZNKSt9exception",
    "_ZNSt9bad_alloc",
    "_ZSt17__throw",
    "_ZSt20__throw",
    "_ZSt24__throw",
    "_ZSt19__throw",
    "_ZSt28__throw",
    "_ZSt16__throw",
    "_ZSt18__throw",
    "_ZSt21__throw",
    "_ZSt22__throw",
    "_ZSt23__throw",
    "_ZSt25__throw",
    "_ZSt26__throw",
    "_ZSt27__throw",
    "_ZSt11_Hash_bytes",
    "_ZNKSt8__detail20_Prime_rehash_policy",
    "_ZNSt6chrono",
    "_ZNSt13random_device",
    "_ZNSaIc",
    "_ZNKSt12__basic_file"};

/// Of the namespace std::__cxx11, where doubles may be in lists as well.
static constexpr StringLiteral TextPrefixes[] = {"12basic_stringI",
                                                 "15basic_stringbufI",
                                                 "18basic_stringstreamI",
                                                 "19basic_istringstreamI",
                                                 "19basic_ostringstreamI",
                                                 "9to_string",
                                                 "4sto",
                                                 "5sto"};

static constexpr StringLiteral MirroredNames[] = {
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
    "_ZNSt8__detail15_List_node_base9_M_unhookEv",
    "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
    "_ZNSt8__detail15_List_node_base10_M_reverseEv",
    "_ZNSt8__detail15_List_node_base4swapERS0_S1_"};

/// Reductions of Fortran's run time.
static constexpr StringLiteral ReadingPrefixes[] = {"_FortranAMaxvalReal",
                                                    "_FortranAMinvalReal",
                                                    "_FortranASumReal",
                                                    "_FortranAProductReal",
                                                    "_FortranADotProductReal",
                                                    "_FortranANorm2_",
                                                    "_FortranAAll",
                                                    "_FortranAAny",
                                                    "_FortranACount"};

static bool startsWithAny(StringRef Name, ArrayRef<StringLiteral> Prefixes) {
  return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

bool pardiff::isTextFunction(const Function &F) {
  StringRef Name = F.getName();
  return (Name.consume_front("_ZNSt7__cxx11") ||
          Name.consume_front("_ZNKSt7__cxx11")) &&
         startsWithAny(Name, TextPrefixes);
}

bool pardiff::isInactiveFunction(const Function &F) {
  if (isTextFunction(F))
    return true;
  return F.isDeclaration() && !getInput(F) &&
         (is_contained(InactiveNames, F.getName()) ||
          startsWithAny(F.getName(), InactivePrefixes));
}

bool pardiff::isPointerCast(const Function &F) {
  return F.isDeclaration() && F.getName() == "__dynamic_cast";
}

bool pardiff::isMirroredFunction(const Function &F) {
  return F.isDeclaration() && is_contained(MirroredNames, F.getName());
}

bool pardiff::isReadingFunction(const Function &F) {
  return F.isDeclaration() && startsWithAny(F.getName(), ReadingPrefixes);
}

std::optional<InputFunction> pardiff::getInput(const Function &F) {
  // istream >> float, double, long double.
  LLVMContext &C = F.getContext();
  Type *Ty = StringSwitch<Type *>(F.isDeclaration() ? F.getName() : "")
                 .Cases({"_ZNSirsERf", "_ZNSi10_M_extractIfEERSiRT_"},
                        Type::getFloatTy(C))
                 .Cases({"_ZNSirsERd", "_ZNSi10_M_extractIdEERSiRT_"},
                        Type::getDoubleTy(C))
                 .Cases({"_ZNSirsERe", "_ZNSi10_M_extractIeEERSiRT_"},
                        Type::getX86_FP80Ty(C))
                 .Default(nullptr);
  if (!Ty)
    return std::nullopt;
  return InputFunction{1, Ty};
}
