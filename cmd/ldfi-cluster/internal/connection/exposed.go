package connection

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Exposed says that others on this machine know the key in a file, and what to do; "" if
// they do not, or there is no key.
func Exposed(file string) string {
	info, err := os.Stat(file)
	switch {
	case err != nil || runtime.GOOS == "windows":
		return ""
	case foreign(info):
		return fmt.Sprintf("the key in %s is a file of another user, who can hand out work with it: make one that is yours", file)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Sprintf("others on this machine can read the key in %s: chmod 600 %s", file, file)
	}
	return ""
}

// Home is the directory of ldfi serve where nothing names one.
func Home() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "ldfi", "serve"), nil
}

// Own is the key that ldfi serve makes in its directory where nothing names one.
func Own(dir string) string { return filepath.Join(dir, "ldfi.key") }

// CheckOwn reports a key that nobody has named and that may be known to somebody else, or
// have been put there by them.
func CheckOwn(file string) error {
	const remove = "end the server and remove the file: ldfi serve makes a new key"
	info, err := os.Lstat(file)
	if err != nil {
		return fmt.Errorf("reading a key: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("the key %s is a link, and nobody has asked for the file that it leads to: name that with --nkey, or %s", file, remove)
	}
	if why := Exposed(file); why != "" {
		return fmt.Errorf("%s\nwho has read it can use it still: %s", why, remove)
	}
	dir, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("reading a key: %w", err)
	}
	if runtime.GOOS != "windows" && (foreign(dir) || dir.Mode().Perm()&0o022 != 0) {
		return fmt.Errorf("others can put another key in the place of %s: keep it in a directory that only you can write in (chmod 700 %s, or another one with --dir)", file, filepath.Dir(file))
	}
	if _, _, err := Key(file); err != nil {
		return fmt.Errorf("%w; %s", err, remove)
	}
	return nil
}
