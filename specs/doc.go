// Package specs has the types that protocols and properties share: values, and errors
// and warnings with their positions in source files. Package specs/dedalus reads
// protocols, and package specs/property checks recordings.
package specs
