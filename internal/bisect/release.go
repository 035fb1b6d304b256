package bisect

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/shellwords"
	gomodfile "golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Releases returns released versions of a Go module as versions of a system. The
// command is go run with a package of the Go module in the directory ("": the
// working directory), which is built against each version in turn: with copies
// of its go.mod and go.sum that require it. The module itself is not changed.
func Releases(dir, module string, releases []string, system string) ([]Version, error) {
	if system == "" {
		return nil, fmt.Errorf("versions of the module %s need the command of a system that uses it", module)
	}
	words, err := shellwords.Split(system)
	if err != nil {
		return nil, err
	}
	if _, _, _, ok := goRun(words); !ok {
		return nil, fmt.Errorf("the command of a system that is built against versions of a module is go run PACKAGE, and not %s", system)
	}
	var versions []Version
	for _, release := range releases {
		versions = append(versions, Version{Name: release, system: true, prepare: func(ctx context.Context, scratch string) (*place, error) {
			return prepareRelease(ctx, dir, module, release, system, scratch)
		}})
	}
	return versions, nil
}

func prepareRelease(ctx context.Context, dir, module, release, system, scratch string) (*place, error) {
	scratch, err := filepath.Abs(scratch)
	if err != nil {
		return nil, err
	}
	own, err := goCommand(ctx, dir, scratch, "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	own = strings.TrimSpace(own)
	if own == "" || own == os.DevNull {
		return nil, fmt.Errorf("there is no Go module in %s", cmp.Or(dir, "this directory"))
	}
	modfile := filepath.Join(scratch, "go.mod")
	if err := copyModule(filepath.Dir(own), scratch); err != nil {
		return nil, err
	}
	workspace, err := workspaceReplaces(ctx, dir, scratch)
	if err != nil {
		return nil, err
	}
	if _, err := goCommand(ctx, dir, scratch, slices.Concat([]string{"mod", "edit"}, workspace, []string{"-dropreplace=" + module, modfile})...); err != nil {
		return nil, err
	}
	version, err := exact(ctx, dir, modfile, module, release)
	if err != nil {
		return nil, err
	}
	if _, err := goCommand(ctx, dir, scratch, "mod", "edit", "-dropreplace="+module+"@"+version, "-require="+module+"@"+version, modfile); err != nil {
		return nil, err
	}
	p, err := built(ctx, build{dir: dir, command: system, out: scratch, modfile: modfile})
	if err != nil {
		return nil, err
	}
	words, err := shellwords.Split(p.system)
	if err != nil {
		return nil, err
	}
	return p, checkLinked(words[0], module, version)
}

// workspaceReplaces returns flags of go mod edit that put the modules of the Go
// workspace of a directory in the place of their releases. There are none outside
// of a workspace. It is needed because go builds with another go.mod only without
// the workspace.
func workspaceReplaces(ctx context.Context, dir, scratch string) ([]string, error) {
	file, err := goCommand(ctx, dir, scratch, "env", "GOWORK")
	if err != nil {
		return nil, err
	}
	file = strings.TrimSpace(file)
	if file == "" || file == "off" {
		return nil, nil
	}
	text, err := files.Read(file, files.Text)
	if err != nil {
		return nil, err
	}
	work, err := gomodfile.ParseWork(file, text, nil)
	if err != nil {
		return nil, err
	}
	var flags []string
	for _, use := range work.Use {
		used := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(used) {
			used = filepath.Join(filepath.Dir(file), used)
		}
		text, err := files.Read(filepath.Join(used, "go.mod"), files.Text)
		if err != nil {
			return nil, fmt.Errorf("reading a module of the workspace %s: %w", file, err)
		}
		flags = append(flags, "-replace="+gomodfile.ModulePath(text)+"="+used)
	}
	return flags, nil
}

// exact returns the version that a release is. One that is written out needs no
// question to the module proxy; of a module from before modules, v2 and later are
// marked as incompatible.
func exact(ctx context.Context, dir, modfile, module, release string) (string, error) {
	if semver.IsValid(release) && semver.Canonical(release)+semver.Build(release) == release {
		_, suffix, _ := gomodule.SplitPathVersion(module)
		if major := semver.Major(release); suffix == "" && major != "v0" && major != "v1" && semver.Build(release) == "" {
			release += "+incompatible"
		}
		return release, nil
	}
	version, err := goCommand(ctx, dir, filepath.Dir(modfile), "list", "-m", "-mod=mod", "-modfile="+modfile, "-f={{.Version}}", module+"@"+release)
	return strings.TrimSpace(version), err
}

// copyModule copies go.mod and go.sum.
func copyModule(from, to string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := files.Read(filepath.Join(from, name), files.Text)
		if os.IsNotExist(err) && name == "go.sum" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLinked refuses a program that has another version of the module than the
// one it was built against, because something else requires that.
func checkLinked(program, module, version string) error {
	found, err := linked(program, module)
	switch {
	case err != nil:
		return err
	case found == "":
		return fmt.Errorf("the program does not use the module %s", module)
	case found != version:
		return fmt.Errorf("the program was built with %s %s, because something else requires it", module, found)
	}
	return nil
}
