//go:build unix

package suite_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/stretchr/testify/require"
)

// A suite that names what never ends is an error of its case, at once: a pipe
// that nobody writes to, a device without an end, a directory.
func TestIrregularFiles(t *testing.T) {
	for name, test := range map[string]struct {
		entry string
		at    string // what lies there is irregular
	}{
		"file":     {"{name: c, files: [x]}", "x"},
		"include":  {"{name: c, files: [good.ded, includes.ded]}", "x"},
		"property": {"{name: c, system: none, properties: [x]}", "x"},
		"input":    {"{name: c, system: none, inputs: [x]}", "x"},
		"kept":     {"{name: c, files: [good.ded]}", filepath.Join(schedules.KeptDir, "c", "x.txt")},
		"suite":    {"", suite.FileName},
	} {
		for kind, make := range map[string]func(string) error{
			"pipe":   func(at string) error { return syscall.Mkfifo(at, 0o600) },
			"device": func(at string) error { return os.Symlink("/dev/zero", at) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				dir := t.TempDir()
				write := func(name, text string) {
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
				write("good.ded", "// ldfi: processes=a,b eot=2 eff=1 crashes=0\nviolation(X) :- never(X).\n")
				write("includes.ded", "include \"x\";\n")
				at := filepath.Join(dir, test.at)
				require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
				require.NoError(t, make(at))
				if test.entry == "" {
					_, err := suite.Read(at)
					require.ErrorContains(t, err, "this is not a regular file")
					return
				}
				write(suite.FileName, "cases:\n- "+test.entry+"\n")
				s, err := suite.Read(filepath.Join(dir, suite.FileName))
				require.NoError(t, err)
				began := time.Now()
				report := s.Run(t.Context(), suite.Options{Cache: subject.NewCache(t.TempDir(), "v")})
				require.Less(t, time.Since(began), time.Minute)
				require.Equal(t, suite.Error, report.Worst())
				require.Contains(t, report.Cases[0].Error, "this is not a regular file")
			})
		}
	}
}
