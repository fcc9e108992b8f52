package dev.cleave.rmi;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.net.ServerSocket;
import java.rmi.server.RMIServerSocketFactory;

/** Gives RMI its server sockets: ports at which Cleave listens, too. All are equal: exports share their ports. */
final class FrontFactory implements RMIServerSocketFactory, Serializable {

    static final FrontFactory ONLY = new FrontFactory();

    @Serial
    private static final long serialVersionUID = 1;

    private FrontFactory() {}

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return RmiNode.get().open(port);
    }

    @Serial
    private Object readResolve() {
        return ONLY;
    }
}
