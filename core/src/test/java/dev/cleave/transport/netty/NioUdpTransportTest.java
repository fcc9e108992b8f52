package dev.cleave.transport.netty;

/** The same promises with datagrams and Java's own selector. */
class NioUdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return DatagramFaults.NONE;
    }

    @Override
    NettyOptions.Poller poller() {
        return NettyOptions.Poller.NIO;
    }
}
