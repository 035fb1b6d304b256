package execution

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/specs"
)

// PayloadKind names the kind of a message: what its method Kind says, else the name
// of its Go type in lower case, else "message".
func PayloadKind(payload any) string {
	if k, ok := payload.(interface{ Kind() string }); ok {
		return k.Kind()
	}
	switch payload.(type) {
	case nil, string, []byte:
		return "message"
	}
	t := reflect.TypeOf(payload)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return "message"
	}
	return strings.ToLower(t.Name())
}

// PayloadText returns a payload as recordings show it: a string or []byte as it is,
// a fmt.Stringer by its String, and everything else as JSON.
func PayloadText(payload any) string {
	switch p := payload.(type) {
	case string:
		return p
	case []byte:
		return string(p)
	case fmt.Stringer:
		return p.String()
	case int:
		return strconv.Itoa(p)
	case uint64:
		return strconv.FormatUint(p, 10)
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return fmt.Sprintf("%+v", payload)
	}
	return string(text)
}

// PayloadValue returns an argument of a fact as it is recorded: an integer as one,
// and everything else as text.
func PayloadValue(arg any) specs.Value {
	switch a := arg.(type) {
	case specs.Value:
		return a
	case int:
		return specs.Int(int64(a))
	case string:
		return specs.String(a)
	case uint64:
		if a <= 1<<63-1 {
			return specs.Int(int64(a))
		}
	case fmt.Stringer:
		return specs.String(a.String())
	}
	switch v := reflect.ValueOf(arg); {
	case v.CanInt():
		return specs.Int(v.Int())
	case v.CanUint() && v.Uint() <= 1<<63-1:
		return specs.Int(int64(v.Uint()))
	case v.Kind() == reflect.String:
		return specs.String(v.String())
	}
	return specs.String(PayloadText(arg))
}
