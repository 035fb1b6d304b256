package store

import "context"

// PutAs keeps a file under any name.
func PutAs(ctx context.Context, s *Store, name string, content []byte) error {
	_, err := s.files.PutBytes(ctx, name, content)
	return err
}

// Limited is the store in which a file may be so long.
func Limited(s *Store, mostOfFile int) *Store {
	limited := *s
	limited.mostOfFile = mostOfFile
	return &limited
}
