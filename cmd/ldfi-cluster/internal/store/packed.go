package store

import (
	"bytes"
	"compress/flate"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/nats-io/nats.go"
)

// Answers with recordings are long, and repeat themselves: a server that takes a megabyte at
// a time, as most do, takes most of them when they are compressed.
const (
	packHeader = "Ldfi-Packed" // the data is compressed, as RFC 1951 says
	worthIt    = 64 << 10      // bytes from which on it is

	mostUnpacked = 96 << 20 // more than slots answer with
)

// packed is a message with a text.
func packed(subject string, text []byte) *nats.Msg {
	msg := &nats.Msg{Subject: subject, Data: text}
	if len(text) < worthIt {
		return msg
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil && b.Len() < len(text) {
		msg.Data, msg.Header = b.Bytes(), nats.Header{packHeader: {"deflate"}}
	}
	return msg
}

// unpacked is the text of a message. Nobody makes it endless.
func unpacked(header nats.Header, data []byte) ([]byte, error) {
	if header.Get(packHeader) == "" {
		return data, nil
	}
	return files.ReadAll(flate.NewReader(bytes.NewReader(data)), "a result", mostUnpacked)
}
