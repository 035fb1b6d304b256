package hashicorpraft

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// The types of the library have other fields from version to version, all of which
// have to be sent and stored. So values are written field by field as they are found.

// encode appends a value, such as an RPC or an entry of the log.
func encode(b []byte, value any) []byte { return appendValue(b, reflect.ValueOf(value)) }

// decode reads what encode has written into the value that is pointed to. Every byte
// has to be a part of it.
func decode(b []byte, pointer any) error {
	rest, err := readValue(b, reflect.ValueOf(pointer).Elem())
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes are left over", len(rest))
	}
	if err != nil {
		return fmt.Errorf("reading a %s: %w", reflect.TypeOf(pointer).Elem(), err)
	}
	return nil
}

var timeType = reflect.TypeFor[time.Time]()

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		return appendValue(b, v.Elem())
	case reflect.Slice:
		return appendSlice(b, v)
	case reflect.Struct:
		return appendStruct(b, v)
	}
	panic(fmt.Sprintf("a %s cannot be sent or stored: this adapter does not know how", v.Type()))
}

func appendSlice(b []byte, v reflect.Value) []byte {
	b = binary.AppendUvarint(b, uint64(v.Len()))
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return append(b, v.Bytes()...)
	}
	for i := range v.Len() {
		b = appendValue(b, v.Index(i))
	}
	return b
}

func appendStruct(b []byte, v reflect.Value) []byte {
	if v.Type() == timeType {
		if t := v.Interface().(time.Time); !t.IsZero() {
			return binary.AppendVarint(b, t.UnixNano())
		}
		return binary.AppendVarint(b, 0)
	}
	for i := range v.NumField() {
		b = appendValue(b, v.Field(i))
	}
	return b
}

var errShort = errors.New("it ends too early")

func readValue(b []byte, v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		if len(b) == 0 {
			return nil, errShort
		}
		v.SetBool(b[0] == 1)
		return b[1:], nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, b, err := readVarint(b)
		v.SetInt(n)
		return b, err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, b, err := readUvarint(b)
		v.SetUint(n)
		return b, err
	case reflect.String:
		text, b, err := readBytes(b)
		v.SetString(string(text))
		return b, err
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return readValue(b, v.Elem())
	case reflect.Slice:
		return readSlice(b, v)
	case reflect.Struct:
		return readStruct(b, v)
	}
	panic(fmt.Sprintf("a %s cannot be sent or stored: this adapter does not know how", v.Type()))
}

func readSlice(b []byte, v reflect.Value) ([]byte, error) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		bytes, b, err := readBytes(b)
		if len(bytes) > 0 {
			v.SetBytes(append([]byte(nil), bytes...))
		}
		return b, err
	}
	n, b, err := readUvarint(b)
	if err != nil {
		return nil, err
	}
	if n > uint64(len(b)) { // every element has a byte at least
		return nil, errShort
	}
	if n > 0 {
		v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
	}
	for i := range int(n) {
		if b, err = readValue(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func readStruct(b []byte, v reflect.Value) ([]byte, error) {
	if v.Type() == timeType {
		n, b, err := readVarint(b)
		if n != 0 {
			v.Set(reflect.ValueOf(time.Unix(0, n)))
		}
		return b, err
	}
	var err error
	for i := range v.NumField() {
		if b, err = readValue(b, v.Field(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func readVarint(b []byte) (int64, []byte, error) {
	n, size := binary.Varint(b)
	if size <= 0 {
		return 0, nil, errShort
	}
	return n, b[size:], nil
}

func readUvarint(b []byte) (uint64, []byte, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, nil, errShort
	}
	return n, b[size:], nil
}

func readBytes(b []byte) (bytes, rest []byte, err error) {
	n, b, err := readUvarint(b)
	if err != nil {
		return nil, nil, err
	}
	if n > uint64(len(b)) {
		return nil, nil, errShort
	}
	return b[:n], b[n:], nil
}
