package main

import "runtime/debug"

// version is the module version that the binary was built from, or the revision of the
// checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
