package bisect

import (
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
)

// checkLinked refuses a program that was not built with this version of the module.
func (f *found) checkLinked(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("reading what the program was built with: %w", err)
	}
	return f.among(info.Deps)
}

// among reports an error unless the modules of a program include this version of the
// module.
func (f *found) among(modules []*debug.Module) error {
	for _, m := range modules {
		if m.Path != f.module {
			continue
		}
		if built := replacement(m); built.Path != f.path() || f.dir == "" && built.Version != f.version {
			return fmt.Errorf("the program was built with %s %s, and not with %s %s", built.Path, built.Version, f.path(), f.version)
		}
		return nil
	}
	return fmt.Errorf("the program does not use the module %s", f.module)
}

// path is where the module comes from.
func (f *found) path() string {
	if f.dir != "" {
		return f.dir
	}
	return f.module
}

// replacement returns the module from which a module was built.
func replacement(m *debug.Module) *debug.Module {
	if m.Replace != nil {
		return m.Replace
	}
	return m
}
