package dev.cleave.transport.netty;

import org.junit.jupiter.api.Tag;

/** The same promises where no datagram comes through. */
@Tag("one-jdk")
class DeafUdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return (datagram, wire) -> datagram.release();
    }
}
