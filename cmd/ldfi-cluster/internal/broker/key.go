package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
)

// makeKey makes a key, which only the user can read, if there is no such file. Whoever makes
// one at the same time has the same.
func makeKey(file string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := newKey(file)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("making the key %s: the directory %s does not exist: make it first", file, filepath.Dir(file))
	case err != nil:
		return fmt.Errorf("making the key %s: %w", file, err)
	}
	return nil
}

// newKey writes a new key into a new file, which nobody sees before it is whole.
func newKey(file string) error {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	half, err := os.CreateTemp(filepath.Dir(file), ".ldfi-key-") // for the user alone
	if err != nil {
		return err
	}
	_, err = half.Write(append(seed, '\n'))
	err = errors.Join(err, half.Close())
	if err == nil {
		err = os.Link(half.Name(), file)
	}
	return errors.Join(err, os.Remove(half.Name()))
}
