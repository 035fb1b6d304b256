package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nats-io/nkeys"
)

// MakeKey makes a key, which only the user can read, if there is no such file.
func MakeKey(file string) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := newKey(file); err != nil {
		return fmt.Errorf("making a key: %w", err)
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
