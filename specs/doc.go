// Package specs has what protocols and properties have in common: values, and
// errors and warnings with their positions in source files. Package specs/dedalus
// reads protocols; package specs/property says what a recording has to satisfy.
package specs
