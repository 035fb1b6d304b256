package process

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"golang.org/x/sys/unix"
)

// machine is what a node without the overlay has of this one: a thread with namespaces of
// its own, for its network, its files and its name. The network has one device, whose
// packets ldfi itself takes and gives. All of it is gone with the thread and the programs
// that it has started, however these end.
type machine struct {
	thread chan<- func()
	device *os.File
}

// programDir is where a machine has the program of its node.
const programDir = "/ldfi"

// newMachine makes a machine with an address, whose files are below a directory: what is in
// data, home and tmp there, and of this machine all else, which it cannot change.
func newMachine(dir, name string, ip net.IP, program string) (*machine, error) {
	m := &machine{thread: subprocess.Thread()}
	err := m.do(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWUTS); err != nil {
			return fmt.Errorf("namespaces: %w", err)
		}
		if err := m.connect(ip); err != nil {
			return err
		}
		if err := unix.Sethostname([]byte(name)); err != nil {
			return err
		}
		return m.mount(dir, program)
	})
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// do does something on the thread of the machine.
func (m *machine) do(what func() error) error {
	done := make(chan error)
	m.thread <- func() { done <- what() }
	return <-done
}

func (m *machine) close() {
	if m.device != nil {
		m.device.Close()
	}
	close(m.thread)
}

// connect gives the machine a device with an address.
func (m *machine) connect(ip net.IP) error {
	const tun = "/dev/net/tun"
	fd, err := unix.Open(tun, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("a device of the network: %s (of the module tun; --device /dev/net/tun gives it to a container): %w", tun, err)
	}
	device, err := unix.NewIfreq("eth0")
	if err == nil {
		device.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, device)
	}
	if m.device = os.NewFile(uintptr(fd), tun); err != nil {
		return fmt.Errorf("a device of the network: %w", err)
	}
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	for _, name := range []string{"lo", "eth0"} {
		r, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		set := func(request uint) {
			if err == nil {
				err = unix.IoctlIfreq(socket, request, r)
			}
		}
		if name == "eth0" {
			_ = r.SetInet4Addr(ip)
			set(unix.SIOCSIFADDR)
			_ = r.SetInet4Addr(net.IPv4(255, 0, 0, 0).To4())
			set(unix.SIOCSIFNETMASK)
		}
		r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		if set(unix.SIOCSIFFLAGS); err != nil {
			return fmt.Errorf("the network device %s: %w", name, err)
		}
	}
	return nil
}

// mount lets the thread, and what it starts, see the files of the node. None of it reaches
// other namespaces: that is the first thing to be said.
func (m *machine) mount(dir, program string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("a namespace of files: %w", err)
	}
	root := filepath.Join(dir, "root")
	own := []string{dataDir, homeDir, tempDir}
	entries, err := os.ReadDir("/")
	if err != nil {
		return err
	}
	for _, e := range entries {
		from, to := "/"+e.Name(), filepath.Join(root, e.Name())
		switch {
		case slices.Contains(own, from) || from == programDir:
		case e.Type()&fs.ModeSymlink != 0:
			var link string
			if link, err = os.Readlink(from); err == nil {
				err = os.Symlink(link, to)
			}
		case e.IsDir():
			err = bindFixed(from, to)
		}
		if err != nil && !os.IsExist(err) { // a link stays when the node restarts
			return fmt.Errorf("%s for the node: %w", from, err)
		}
	}
	for _, name := range own {
		if err := bind(filepath.Join(dir, name), filepath.Join(root, name)); err != nil {
			return err
		}
	}
	if err := bindFixed(filepath.Dir(program), filepath.Join(root, programDir)); err != nil {
		return err
	}
	if err := unix.Chroot(root); err != nil {
		return fmt.Errorf("the files of the node: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	for _, name := range []string{hostsFile, resolveFile} {
		if err := unix.Mount(filepath.Join("/", filepath.Base(name)), name, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("%s for the node: %w", name, err)
		}
	}
	return nil
}

// The files by which names are looked up.
const (
	hostsFile   = "/etc/hosts"
	resolveFile = "/etc/resolv.conf"
)

// bind lets a directory be seen in another place, which it makes.
func bind(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("%s for the node: %w", from, err)
	}
	return nil
}

// bindFixed is bind of what nobody can change there.
func bindFixed(from, to string) error {
	if err := bind(from, to); err != nil {
		return err
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, to, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("%s for the node, read-only: %w", from, err)
	}
	return nil
}

// tryMachine makes a machine, and ends it.
func tryMachine(dir string) error {
	dir = filepath.Join(dir, "try")
	if err := layOut(dir, nil, ""); err != nil {
		return err
	}
	m, err := newMachine(dir, "try", network.Address(0), filepath.Join(dir, "data", "program"))
	if err != nil {
		return err
	}
	m.close()
	return nil
}

// layOut writes what is on a disk, and what a machine needs, into a directory.
func layOut(dir string, d *disk.Disk, hosts string) error {
	for _, name := range []string{dataDir, homeDir, tempDir} {
		if err := unpack(d, name, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	names := "127.0.0.1\tlocalhost\n::1\tlocalhost\n"
	for host := range strings.SplitSeq(hosts, ",") {
		name, ip, _ := strings.Cut(host, "=")
		names += ip + "\t" + name + "\n"
	}
	root := filepath.Join(dir, "root")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{hostsFile: names, resolveFile: "nameserver 192.0.2.53\n"} {
		if err := os.WriteFile(filepath.Join(root, filepath.Base(name)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// unpack writes a directory of a disk, if there is one, to a real one.
func unpack(d *disk.Disk, from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil || d == nil {
		return err
	}
	entries, err := d.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, target := path.Join(from, e.Name()), filepath.Join(to, e.Name())
		if e.IsDir() {
			if err := unpack(d, name, target); err != nil {
				return err
			}
			continue
		}
		f, err := d.Open(name)
		if err != nil {
			return err
		}
		text, err := files.ReadAll(f, name, files.Program)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, text, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}
