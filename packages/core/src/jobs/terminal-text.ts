/*
 * Programs that give a job a terminal and live as long as it: standard input goes into it, what it shows goes to
 * standard output. They end as the job ended, by the same signal too. Descriptor 3 (the job is up) and what else the
 * supervisor handed down is inherited.
 */

/** For python3. Arguments: rows, columns, then the program. */
export const pythonTerminal = `
import errno, fcntl, os, pty, select, signal, struct, sys, termios
rows, columns, argv = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.environ["TERM"] = os.environ.get("TERM") or "xterm-256color"
    if os.environ["TERM"] == "dumb":
        os.environ["TERM"] = "xterm-256color"
    try:
        with open(os.path.join(os.environ["TALARIA_JOB"], "tty"), "w") as file:
            file.write(os.ttyname(0) + "\\n")
        os.execv(argv[0], argv)
    finally:
        os._exit(127)
try:
    os.close(3)
except OSError:
    pass
for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
os.set_blocking(master, False)
wakeup, woken = os.pipe()
os.set_blocking(woken, False)
signal.set_wakeup_fd(woken)
signal.signal(signal.SIGCHLD, lambda *ignored: None)
inputs, pending, status = [0], b"", None

def show():
    """Passes on what the terminal shows now. False at its end."""
    while True:
        try:
            data = os.read(master, 65536)
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno == errno.EIO:
                return False
            raise
        if not data:
            return False
        while data:
            data = data[os.write(1, data):]

shown = True
while status is None:
    done, ended = os.waitpid(pid, os.WNOHANG)
    if done:
        status = ended
        break
    readers = [wakeup] + ([master] if shown else []) + (inputs if len(pending) < 65536 else [])
    ready, writable, _ = select.select(readers, [master] if pending and shown else [], [])
    if wakeup in ready:
        os.read(wakeup, 512)
    if master in ready:
        shown = show()
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            pending += data
        else:
            inputs = []
            pending += b"\\x04"
    if pending and master in writable:
        try:
            pending = pending[os.write(master, pending):]
        except BlockingIOError:
            pass
        except OSError:
            pending = b""
if shown:
    show()
if os.WIFSIGNALED(status):
    number = os.WTERMSIG(status)
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), number)
os._exit(os.WEXITSTATUS(status))
`;

/** For perl on Linux, without any module beyond its core. Arguments: rows, columns, then the program. */
export const perlTerminal = `
use strict; use warnings; use POSIX ();
my ($rows, $columns, @argv) = @ARGV;
sysopen(my $master, "/dev/ptmx", POSIX::O_RDWR() | POSIX::O_NOCTTY()) or exit 127;
my $number = pack("I", 0);
ioctl($master, 0x40045431, $number) or exit 127;
ioctl($master, 0x80045430, $number) or exit 127;
my $name = "/dev/pts/" . unpack("I", $number);
my $size = pack("S4", $rows, $columns, 0, 0);
my $pid = fork; defined $pid or exit 127;
if ($pid == 0) {
  POSIX::setsid();
  close $master;
  my $slave = POSIX::open($name, POSIX::O_RDWR());
  defined $slave or POSIX::_exit(127);
  open(my $tty, "+<&=", $slave) or POSIX::_exit(127);
  ioctl($tty, 0x540E, 0); ioctl($tty, 0x5414, $size);
  if (open(my $file, ">", "$ENV{TALARIA_JOB}/tty")) { print $file "$name\\n"; close $file; }
  $ENV{TERM} = "xterm-256color" if !$ENV{TERM} || $ENV{TERM} eq "dumb";
  POSIX::dup2($slave, $_) for 0 .. 2;
  POSIX::close($slave) if $slave > 2;
  exec { $argv[0] } @argv; POSIX::_exit(127);
}
POSIX::close(3);
$SIG{$_} = "IGNORE" for qw(HUP INT TERM QUIT);
pipe(my $wakeup, my $woken); $woken->autoflush(1) if $woken->can("autoflush");
$SIG{CHLD} = sub { syswrite($woken, "x") };
my ($pending, $input, $shown, $status) = ("", 1, 1, undef);
while (!defined $status) {
  if (waitpid($pid, POSIX::WNOHANG()) == $pid) { $status = $?; last }
  my ($read, $write) = ("", "");
  vec($read, fileno($wakeup), 1) = 1;
  vec($read, fileno($master), 1) = 1 if $shown;
  vec($read, 0, 1) = 1 if $input && length($pending) < 65536;
  vec($write, fileno($master), 1) = 1 if length $pending;
  next if select($read, $write, undef, undef) < 0;
  sysread($wakeup, my $ignored, 512) if vec($read, fileno($wakeup), 1);
  if ($shown && vec($read, fileno($master), 1)) {
    if (sysread($master, my $data, 65536)) { show($data) } else { $shown = 0 }
  }
  if ($input && vec($read, 0, 1)) {
    if (sysread(STDIN, my $data, 65536)) { $pending .= $data } else { $input = 0; $pending .= "\\x04" }
  }
  if (length $pending && vec($write, fileno($master), 1)) {
    my $sent = syswrite($master, $pending, 1024);
    $pending = defined $sent ? substr($pending, $sent) : "";
  }
}
while ($shown) {
  my $read = ""; vec($read, fileno($master), 1) = 1;
  last if select($read, undef, undef, 0) <= 0;
  if (sysread($master, my $data, 65536)) { show($data) } else { last }
}
my $signal = $status & 127;
if ($signal) { POSIX::sigaction($signal, POSIX::SigAction->new("DEFAULT")); kill $signal, $$; select(undef, undef, undef, 0.1); }
POSIX::_exit($status >> 8);
sub show { my ($data) = @_; while (length $data) { my $sent = syswrite(STDOUT, $data); last unless defined $sent; $data = substr($data, $sent) } }
`;
