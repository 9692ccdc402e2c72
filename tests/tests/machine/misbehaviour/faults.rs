//! Every way in which a bot can misbehave, in each way of keeping bots beside the isolated and the portable one, also where
//! the same comes of it.

#![cfg(target_os = "linux")]

use tests::keeping::Keeping;
use tests::{each_fault, fault_tests};

mod off {
    use super::*;
    each_fault!(fault_tests under(Keeping::Off));
}

mod refused {
    use super::*;
    each_fault!(fault_tests under(Keeping::Refused));
}

mod contained {
    use super::*;
    each_fault!(fault_tests under(Keeping::Contained));
}
