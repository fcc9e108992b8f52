package dev.cleave.transport.netty;

/** The same promises where no datagram comes through. */
class DeafUdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return (datagram, wire) -> datagram.release();
    }
}
