package atomicfile_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/atomicfile"
	"github.com/stretchr/testify/require"
)

// writing, in the environment, names a file that this test program writes half
// of, and then waits for ever.
const writing = "LDFI_TEST_WRITING"

func TestMain(m *testing.M) {
	file := os.Getenv(writing)
	if file == "" {
		os.Exit(m.Run())
	}
	_ = atomicfile.Write(file, func(w io.Writer) error {
		fmt.Fprint(w, "half")
		fmt.Println("written")
		_, err := io.ReadAll(os.Stdin) // which nobody closes
		return err
	})
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A file is replaced as a whole, keeps its mode, and is left alone by an error.
func TestWrite(t *testing.T) {
	for name, write := range map[string]func(string, func(io.Writer) error) error{"synced": atomicfile.Write, "unsynced": atomicfile.WriteUnsynced} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file")
			require.NoError(t, write(file, text("old")))
			require.NoError(t, os.Chmod(file, 0o600))
			require.NoError(t, write(file, text("new")))
			failed := errors.New("the disk is full")
			require.ErrorIs(t, write(file, func(w io.Writer) error { fmt.Fprint(w, "half"); return failed }), failed)
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, "new", string(data))
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			left, err := os.ReadDir(filepath.Dir(file))
			require.NoError(t, err)
			require.Len(t, left, 1)
			require.Error(t, write(filepath.Join(file, "none"), text("")))
		})
	}
}

// A kill in the middle leaves the old content.
func TestKill(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, atomicfile.Write(file, text("old")))
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), writing+"="+file)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "written\n", line)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
}
