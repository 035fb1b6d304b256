package gobuild

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
)

// Antithesis is the module of the SDK of Antithesis for Go. Its releases for programs that
// ship with it do nothing without a build tag, and those before 0.4.4 need cgo with it.
const (
	Antithesis    = "github.com/antithesishq/antithesis-sdk-go"
	AntithesisTag = "enable_antithesis_sdk"
)

// RequiresAntithesis tells whether the module of a package requires the SDK, so that its node
// is built with the tag. The package is named as for [Node].
func RequiresAntithesis(ctx context.Context, dir, pkg string) (bool, error) {
	kept, err := os.MkdirTemp("", "ldfi-module-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(kept)
	n, err := locate(ctx, dir, pkg, kept)
	if err != nil {
		return false, err
	}
	return n.requires(Antithesis)
}

// requires tells whether the go.mod of a package names a module, other than its own.
func (n node) requires(module string) (bool, error) {
	for _, flag := range n.module {
		if file, ok := strings.CutPrefix(flag, "-modfile="); ok {
			return names(file, module)
		}
	}
	at := n.where
	if strings.HasPrefix(n.pkg, ".") || filepath.IsAbs(n.pkg) {
		if at = n.pkg; !filepath.IsAbs(at) {
			at = filepath.Join(n.where, n.pkg)
		}
	}
	root := ModuleRoot(at)
	if root == "" { // go build says so
		return false, nil
	}
	return names(filepath.Join(root, "go.mod"), module)
}

// names tells whether a go.mod names a module, other than its own: the SDK does not check
// itself, and programs of ldfi do.
func names(file, module string) (bool, error) {
	text, err := files.Read(file, files.Text)
	words := strings.Fields(string(text))
	i := slices.Index(words, module)
	return i >= 0 && (module == ofLdfi || i == 0 || words[i-1] != "module") && !(module == Antithesis && i+1 < len(words) && oldSDK(words[i+1])), err
}

// oldSDK tells whether a version of the SDK is from before 0.4.4: that does not compile
// without cgo, as nodes are built.
func oldSDK(version string) bool {
	var major, minor, patch int
	_, err := fmt.Sscanf(version, "v%d.%d.%d", &major, &minor, &patch)
	return err == nil && major == 0 && (minor < 4 || minor == 4 && patch < 4)
}

// tagged returns flags of go build with one more tag.
func tagged(flags []string, tag string) []string {
	for _, more := range [][]string{flags, strings.Fields(os.Getenv("GOFLAGS"))} {
		for i, flag := range more {
			name, value, ok := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
			if strings.TrimPrefix(name, "-") != "tags" {
				continue
			}
			if !ok && i+1 < len(more) {
				value = more[i+1]
			}
			tag = value + "," + tag
		}
	}
	return append(slices.Clone(flags), "-tags="+tag) // the last one counts
}
