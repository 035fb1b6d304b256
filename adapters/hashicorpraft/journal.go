package hashicorpraft

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// journal is a file of records, each with its length and checksum. What append has
// returned without an error is there after any crash; of what came after that, the
// first records may be.
type journal struct {
	disk     *disk.Disk
	name     string
	file     *disk.File
	size     int64
	records  int
	contents func() [][]byte // what it has to have, to be written anew
	broken   bool            // a sync has failed: what is in the file is not known
}

// openJournal opens a journal, which may not be there yet, and reads its records.
func openJournal(d *disk.Disk, name string, contents func() [][]byte, read func(record []byte) error) (*journal, error) {
	j := &journal{disk: d, name: name, contents: contents}
	text, err := readFile(d, name)
	if errors.Is(err, fs.ErrNotExist) {
		return j, j.rewrite()
	}
	if err != nil {
		return nil, err
	}
	for {
		record, size := parseRecord(text[j.size:])
		if record == nil {
			break
		}
		if err := read(record); err != nil {
			return nil, fmt.Errorf("record %d of %s: %w", j.records+1, name, err)
		}
		j.size, j.records = j.size+int64(size), j.records+1
	}
	if int(j.size) < len(text) { // torn by a crash
		return j, j.rewrite()
	}
	j.file, err = d.OpenFile(name, os.O_RDWR, 0)
	return j, err
}

func readFile(d *disk.Disk, name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// append writes records, and syncs.
func (j *journal) append(records ...[]byte) error {
	if j.broken || j.records > 64 && j.records > 4*len(j.contents()) {
		if err := j.rewrite(); err != nil {
			return err
		}
	}
	var b []byte
	for _, r := range records {
		b = appendRecord(b, r)
	}
	_, err := j.file.WriteAt(b, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if j.broken = err != nil; j.broken {
		return unlessCrashed(err)
	}
	j.size, j.records = j.size+int64(len(b)), j.records+len(records)
	return nil
}

// rewrite writes the whole journal to a new file, which replaces it.
func (j *journal) rewrite() error {
	var b []byte
	records := j.contents()
	for _, r := range records {
		b = appendRecord(b, r)
	}
	file, err := replaceFile(j.disk, j.name, b)
	if j.broken = err != nil; j.broken {
		return unlessCrashed(err)
	}
	j.file, j.size, j.records = file, int64(len(b)), len(records)
	return nil
}

// replaceFile writes a file so that a crash leaves the old or the new one.
func replaceFile(d *disk.Disk, name string, b []byte) (*disk.File, error) {
	file, err := d.Create(name + ".new")
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(b); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	if err := d.Rename(name+".new", name); err != nil {
		return nil, err
	}
	return file, d.SyncDir("/")
}

// unlessCrashed returns no error if the machine has crashed. What runs on it until it is
// stopped goes on as if it had a disk: the library panics where it cannot store a
// term, and nobody would see that.
func unlessCrashed(err error) error {
	if errors.Is(err, disk.ErrCrashed) {
		return nil
	}
	return err
}

func appendRecord(b, record []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(record)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(record))
	return append(b, record...)
}

// parseRecord returns the first record, and its size in the file: nil if there is none
// that is whole. No record is empty.
func parseRecord(b []byte) (record []byte, size int) {
	n, header := binary.Uvarint(b)
	if header <= 0 || n == 0 || n > uint64(len(b)) || len(b) < header+4+int(n) {
		return nil, 0
	}
	sum := binary.BigEndian.Uint32(b[header:])
	if record = b[header+4 : header+4+int(n)]; crc32.ChecksumIEEE(record) != sum {
		return nil, 0
	}
	return bytes.Clone(record), header + 4 + int(n)
}
