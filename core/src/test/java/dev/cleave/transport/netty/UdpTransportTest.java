package dev.cleave.transport.netty;

/** The same promises with datagrams beside the stream. */
class UdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return DatagramFaults.NONE;
    }
}
