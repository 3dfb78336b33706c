// The report as JSON: one request that is served, its nest and its loops; a second, equal
// one shares the gradient. A folder gets a file named after the source.
// RUN: %clang -O2 -g -c %s -o %t.o -mllvm -pardiff-report=%t.json
// RUN: %python -c "import json,sys; r=json.load(open(sys.argv[1])); assert r['version']==1; a,b=r['requests']; assert (a['caller'],a['primal'],a['activities'],a['shared'],a['error'])==('use','energy',['const','dup'],False,None), a; assert b['shared'] and b['gradient']==a['gradient']; assert a['place']['line']==20, a; n=a['nests'][0]; assert n['recovered'] and n['missed'] is None and n['statements']>0 and n['adjoint_loops'], n" %t.json
// RUN: rm -rf %t.dir
// RUN: mkdir %t.dir
// RUN: %clang -O0 -c %s -o %t.o -mllvm -pardiff-report=%t.dir
// RUN: cat %t.dir/*report.c.json | %FileCheck %s
// CHECK: "primal": "energy"
// RUN: %not %clang -O0 -c %s -o %t.o -mllvm -pardiff-report=%t.dir/missing/file 2>&1 | %FileCheck %s --check-prefix=ERROR
// ERROR: error: pardiff: cannot write the report to '{{.*}}missing/file'
#include <pardiff/pardiff.h>
static double energy(int n, const double *x) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += x[i] * x[i - 1];
  return sum;
}
void use(int n, const double *x, double *dx) {
  __pardiff_autodiff_void((void *)energy, n, x, dx);
  __pardiff_autodiff_void((void *)energy, n, x, dx);
}
