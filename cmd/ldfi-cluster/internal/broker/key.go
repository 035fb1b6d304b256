package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
)

// MakeKey makes a key, which only the user can read, if there is no such file.
func MakeKey(file string) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := newKey(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("making the key %s: the directory %s does not exist: make it first", file, filepath.Dir(file))
	case err != nil:
		return fmt.Errorf("making the key %s: %w", file, err)
	}
	return nil
}

// newKey writes a new key into a file.
func newKey(file string) error {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(seed, '\n'), 0o600)
}
