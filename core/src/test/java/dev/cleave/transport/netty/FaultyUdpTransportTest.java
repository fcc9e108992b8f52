package dev.cleave.transport.netty;

import org.junit.jupiter.api.Tag;

/** The same promises while a fifth of the datagrams is lost, a tenth comes twice, and a fifth too late. */
@Tag("one-jdk")
class FaultyUdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return Accidents.seeded(0.2, 0.1, 0.2);
    }
}
