package files_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// writing, in the environment, names a file that this test program writes half
// of, and then waits for ever.
const writing = "LDFI_TEST_WRITING"

func TestMain(m *testing.M) {
	file := os.Getenv(writing)
	if file == "" {
		os.Exit(m.Run())
	}
	_ = files.Replace(file, func(w io.Writer) error {
		fmt.Fprint(w, "half")
		fmt.Println("written")
		_, err := io.ReadAll(os.Stdin) // which nobody closes
		return err
	})
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func unsynced(file string, write func(io.Writer) error) error {
	return files.ReplaceUnsynced(filepath.Dir(file), file, write)
}

// A file is replaced as a whole, keeps its mode, and is left alone by an error.
func TestWrite(t *testing.T) {
	for name, write := range map[string]func(string, func(io.Writer) error) error{"synced": files.Replace, "unsynced": unsynced} {
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
			none := filepath.Join(file, "none")
			require.ErrorContains(t, write(none, text("")), "writing "+none+": ")
			require.NotContains(t, write(none, text("")).Error(), files.TemporaryName, "it names what was to be written")
		})
	}
}

// A kill in the middle leaves the old content.
func TestKill(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, files.Replace(file, text("old")))
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
	temporary := filepath.Join(filepath.Dir(file), files.TemporaryName)
	half, err := filepath.Glob(filepath.Join(temporary, "file.*"))
	require.NoError(t, err)
	require.Len(t, half, 1)
	files.RemoveTemporary(filepath.Dir(file))
	require.NoError(t, files.Replace(filepath.Join(filepath.Dir(file), "other"), text("x")))
	require.FileExists(t, half[0], "somebody writes it")

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	ignore, err := os.ReadFile(filepath.Join(temporary, ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "*\n", string(ignore))
	files.RemoveTemporary(filepath.Dir(file))
	require.NoDirExists(t, temporary)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
}

// Many can write into a directory at once, and nothing is left.
func TestConcurrentWrites(t *testing.T) {
	dir := t.TempDir()
	var writers errgroup.Group
	for i := range 8 {
		writers.Go(func() error {
			for range 50 {
				if err := unsynced(filepath.Join(dir, fmt.Sprint(i%4)), text(fmt.Sprint(i))); err != nil {
					return err
				}
				files.RemoveTemporary(dir)
			}
			return nil
		})
	}
	require.NoError(t, writers.Wait())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 4)
}

// A repository cannot let ldfi empty or write what lies elsewhere, by links in the
// place of the temporary directory and of what is in it.
func TestLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	precious := filepath.Join(elsewhere, "precious")
	require.NoError(t, os.WriteFile(precious, []byte("x"), 0o600))
	temporary := filepath.Join(dir, files.TemporaryName)
	check := func() {
		files.RemoveTemporary(dir)
		require.Error(t, files.Replace(filepath.Join(dir, "file"), text("new")))
		data, err := os.ReadFile(precious)
		require.NoError(t, err)
		require.Equal(t, "x", string(data))
	}
	require.NoError(t, os.Symlink(elsewhere, temporary))
	check()
	require.NoError(t, os.Remove(temporary))
	require.NoError(t, os.Mkdir(temporary, 0o700))
	require.NoError(t, os.Symlink(precious, filepath.Join(temporary, ".gitignore")))
	check()
}
