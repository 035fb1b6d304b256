package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/nats-io/nkeys"
)

// Key returns the public half of the key in a file. If there is no such file a new key is
// made, which only the user can read.
func Key(file string) (string, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := newKey(file); err != nil {
			return "", fmt.Errorf("making a key: %w", err)
		}
	}
	public, _, err := connection.Key(file)
	return public, err
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
