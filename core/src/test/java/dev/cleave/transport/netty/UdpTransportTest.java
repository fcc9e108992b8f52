package dev.cleave.transport.netty;

import org.junit.jupiter.api.Tag;

/** The same promises with datagrams beside the stream. */
@Tag("one-jdk")
class UdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return DatagramFaults.NONE;
    }
}
