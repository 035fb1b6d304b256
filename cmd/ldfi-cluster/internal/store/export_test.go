package store

import "context"

// PutAs keeps a file under any name.
func PutAs(ctx context.Context, s *Store, name string, content []byte) error {
	_, err := s.files.PutBytes(ctx, name, content)
	return err
}

// LimitFiles sets how long a file may be, until what it returns is called.
func LimitFiles(most int) (reset func()) {
	was := mostOfFile
	mostOfFile = most
	return func() { mostOfFile = was }
}
