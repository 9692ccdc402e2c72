//! A proxy with TLS that cuts connections, and clients of remote bots behind it.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use tests::bench::{Bench, run};

/// A program that is killed in the end.
pub(super) struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A proxy for the clients of remote bots.
pub(super) struct CuttingProxy {
    program: Killed,
    said: BufReader<ChildStdout>,
    port: String,
}

impl CuttingProxy {
    /// Starts it for the server at this port. It cuts all connections each time it has passed on up to so many pieces.
    pub(super) fn start(bench: &Bench, port: &str, pieces: u32, seed: u32) -> CuttingProxy {
        make_certificate(bench);
        let mut command = bench.command("python3");
        command.arg(root().join("tests/remote/cutting_proxy.py"));
        command.args([port, "cert.pem", "key.pem", &pieces.to_string(), &seed.to_string()]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = command.spawn().expect("the proxy starts");
        let mut said = BufReader::new(program.stdout.take().expect("it is piped"));
        let mut port = String::new();
        said.read_line(&mut port).expect("a port");
        CuttingProxy { program: Killed(program), said, port: port.trim().to_owned() }
    }

    /// Starts the client of a bot with this command; what it says goes to a file.
    pub(super) fn client<W: AsRef<OsStr>>(
        &self,
        bench: &Bench,
        token: &Path,
        options: &[&str],
        bot: impl IntoIterator<Item = W>,
    ) -> Killed {
        let said = token.with_extension("said");
        let said = fs::File::options().create(true).append(true).open(said).expect("a file");
        let mut command = bench.command("python3");
        command.args(["-B", "-m", "arbiter_bot.connect"]);
        command.arg(format!("https://localhost:{}/", self.port));
        command.arg("--token-file").arg(token).args(options).arg("--").args(bot);
        command.env("PYTHONPATH", root().join("python/arbiter_bot"));
        command.env("SSL_CERT_FILE", bench.path("cert.pem"));
        command.stdout(said.try_clone().expect("a descriptor")).stderr(said);
        Killed(command.spawn().expect("the client starts"))
    }

    /// Ends it, and returns how often it has cut the connections.
    pub(super) fn end(mut self) -> usize {
        drop(self.program);
        let mut said = String::new();
        self.said.read_to_string(&mut said).expect("lines");
        said.lines().count()
    }
}

/// The root of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Makes a certificate for this machine.
fn make_certificate(bench: &Bench) {
    let mut command = bench.command("openssl");
    command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]);
    command.args(["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"]);
    command.args(["-addext", "subjectAltName=DNS:localhost"]);
    run(&mut command).with_code(0);
}
