//! Every way in which a bot can misbehave, in the other ways of keeping bots that an ordinary machine has. The tables are in
//! `tests/src/faults/`.

#![cfg(target_os = "linux")]

use tests::keeping::Keeping;
use tests::{each_fault, fault_tests};

mod portable {
    use super::*;
    each_fault!(fault_tests under(Keeping::Portable));
}

mod off {
    use super::*;
    each_fault!(fault_tests unless_alike(Keeping::Off));
}

mod refused {
    use super::*;
    each_fault!(fault_tests unless_alike(Keeping::Refused));
}
