package bisect

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
	gomodfile "golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"
)

// modCopy is a copy of the go.mod and go.sum of a Go module, with which the module
// is built in its own directory.
type modCopy struct {
	in   string // the directory in which go is run
	dir  string // of the Go module
	file string // the copy of go.mod
	mod  *gomodfile.File
}

// found is the module of a release, at one version.
type found struct{ module, version, dir string } // either version or dir

// copyModule copies the files of the Go module of a directory. In a workspace the copy uses
// the other modules of the workspace in place of their releases: go builds with another
// go.mod only outside of a workspace.
func copyModule(ctx context.Context, dir, scratch string) (*modCopy, error) {
	own, err := gobuild.RunGo(ctx, dir, scratch, nil, "env", "GOMOD", "GOWORK")
	if err != nil {
		return nil, err
	}
	own, workspace, _ := strings.Cut(strings.TrimRight(own, "\r\n"), "\n")
	if own = strings.TrimSpace(own); own == "" || own == os.DevNull {
		return nil, fmt.Errorf("there is no Go module in %s", cmp.Or(dir, "this directory"))
	}
	text, err := files.Read(own, files.Text)
	if err != nil {
		return nil, err
	}
	m := &modCopy{in: dir, dir: filepath.Dir(own), file: filepath.Join(scratch, "go.mod")}
	if m.mod, err = gomodfile.Parse(own, text, nil); err != nil {
		return nil, err
	}
	sums, err := files.Read(filepath.Join(m.dir, "go.sum"), files.Text)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(scratch, "go.sum"), sums, 0o666); err != nil {
		return nil, err
	}
	if err := m.useWorkspace(strings.TrimSpace(workspace)); err != nil {
		return nil, err
	}
	return m, m.write()
}

func (m *modCopy) write() error {
	m.mod.Cleanup()
	text, err := m.mod.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(m.file, text, 0o666)
}

// useWorkspace puts the modules of a Go workspace in the place of their releases.
func (m *modCopy) useWorkspace(file string) error {
	if file == "" || file == "off" {
		return nil
	}
	text, err := files.Read(file, files.Text)
	if err != nil {
		return err
	}
	work, err := gomodfile.ParseWork(file, text, nil)
	if err != nil {
		return err
	}
	for _, use := range work.Use {
		used := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(used) {
			used = filepath.Join(filepath.Dir(file), used)
		}
		text, err := files.Read(filepath.Join(used, "go.mod"), files.Text)
		if err != nil {
			return fmt.Errorf("reading a module of the workspace %s: %w", file, err)
		}
		if err := m.mod.AddReplace(gomodfile.ModulePath(text), "", used, ""); err != nil {
			return err
		}
	}
	return nil
}

// find finds the module of a release and its version. The path of a release is that
// of a module, or of a package: then the longest path with such a version that it
// begins with is that of the module, as for go get.
func (m *modCopy) find(ctx context.Context, r Release) (*found, error) {
	if r.local() {
		return localModule(r)
	}
	if version, ok := exact(r.Path, r.Version); ok && (r.Module || m.requires(r.Path)) {
		return &found{module: r.Path, version: version}, nil
	}
	candidates := []string{r.Path}
	if !r.Module {
		candidates = modulesOf(r.Path)
	}
	var wrong error
	for _, module := range candidates {
		version, err := m.query(ctx, module, r.Version)
		if err == nil || ctx.Err() != nil {
			return &found{module: module, version: version}, err
		}
		wrong = err
	}
	if len(candidates) > 1 {
		wrong = fmt.Errorf("there is no version %s of a module with the package %s, which would be %s:\n%w", r.Version, r.Path, text.List(candidates, "or"), wrong)
	}
	return nil, wrong
}

// modulesOf returns the modules that a package can be of, the longest path first.
func modulesOf(pkg string) []string {
	least := 2 // elements of the path of a module
	if host, _, _ := strings.Cut(pkg, "/"); host == "github.com" || host == "gitlab.com" || host == "bitbucket.org" {
		least = 3
	}
	modules := []string{pkg}
	for path.Dir(pkg) != "." && strings.Count(pkg, "/") >= least {
		pkg = path.Dir(pkg)
		modules = append(modules, pkg)
	}
	return modules
}

// localModule is the module in a directory.
func localModule(r Release) (*found, error) {
	dir, err := filepath.Abs(r.Version)
	if err != nil {
		return nil, err
	}
	text, err := files.Read(filepath.Join(dir, "go.mod"), files.Text)
	if err != nil {
		return nil, fmt.Errorf("%s is no Go module: %w", r.Version, err)
	}
	module := gomodfile.ModulePath(text)
	if module != r.Path && !strings.HasPrefix(r.Path, module+"/") {
		return nil, fmt.Errorf("%s is the module %s, and not %s", r.Version, module, r.Path)
	}
	return &found{module: module, dir: dir}, nil
}

func (m *modCopy) requires(module string) bool {
	for _, r := range m.mod.Require {
		if r.Mod.Path == module {
			return true
		}
	}
	return false
}

// query asks the module proxy for a version of a module, whatever replaces it.
func (m *modCopy) query(ctx context.Context, module, version string) (string, error) {
	if err := m.dropReplaces(module); err != nil {
		return "", err
	}
	if written, ok := exact(module, version); ok {
		version = written
	}
	text, err := gobuild.RunGo(ctx, m.in, filepath.Dir(m.file), nil, "list", "-m", "-mod=mod", "-modfile="+m.file, "-f={{.Version}}", module+"@"+version)
	return strings.TrimSpace(text), err
}

// dropReplaces removes all replacements of a module.
func (m *modCopy) dropReplaces(module string) error {
	var dropped bool
	for _, r := range m.mod.Replace {
		if r.Old.Path == module {
			if err := m.mod.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
			dropped = true
		}
	}
	if !dropped {
		return nil
	}
	return m.write()
}

// replace puts one version in the place of a module, whatever version something
// else requires.
func (m *modCopy) replace(f *found) error {
	if err := m.dropReplaces(f.module); err != nil {
		return err
	}
	required := f.version
	if f.dir != "" {
		_, suffix, _ := gomodule.SplitPathVersion(f.module)
		required = gomodule.ZeroPseudoVersion(strings.TrimLeft(suffix, "/."))
	}
	if f.dir == "" || !m.requires(f.module) {
		if err := m.mod.AddRequire(f.module, required); err != nil {
			return err
		}
	}
	if err := m.mod.AddReplace(f.module, "", cmp.Or(f.dir, f.module), f.version); err != nil {
		return err
	}
	return m.write()
}
