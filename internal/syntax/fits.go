package syntax

import "github.com/lineage-driven/ldfi/specs"

// Fits tells whether values have the constants of an atom, and are equal where the
// atom has one variable twice.
func (a *Atom) Fits(values []specs.Value) bool {
	if len(values) != len(a.Args) {
		return false
	}
	for i, arg := range a.Args {
		switch arg := arg.(type) {
		case *Constant:
			if arg.Value != values[i] {
				return false
			}
		case *Variable:
			for j, other := range a.Args[:i] {
				if v, ok := other.(*Variable); ok && v.Name == arg.Name && values[j] != values[i] {
					return false
				}
			}
		}
	}
	return true
}
