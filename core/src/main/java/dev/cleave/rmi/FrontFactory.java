package dev.cleave.rmi;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The socket factory of RMI in this process: its ports are those at which Cleave listens, too. If the program sets a
 * factory of its own, that one is used, and what is exported from then on at other ports is called over RMI alone.
 */
final class FrontFactory extends RMISocketFactory {

    private static final FrontFactory ONLY = new FrontFactory();

    private volatile @Nullable RMISocketFactory ofProgram; // written under the lock of this

    private FrontFactory() {}

    /** Lets RMI use the factory, unless code that has not been rewritten has set another one. */
    static synchronized void install() {
        if (RMISocketFactory.getSocketFactory() == null) {
            try {
                RMISocketFactory.setSocketFactory(ONLY);
            } catch (IOException e) {
                throw new IllegalStateException(e); // only other code that sets one at the same time
            }
        }
    }

    /**
     * Sets the factory of the program.
     *
     * @throws IOException if it has set one before
     */
    static synchronized void set(@Nullable RMISocketFactory factory) throws IOException {
        install();
        if (RMISocketFactory.getSocketFactory() != ONLY || ONLY.ofProgram != null) {
            RMISocketFactory.setSocketFactory(factory); // throws what RMI throws
        }
        ONLY.ofProgram = factory;
    }

    /** The factory that the program has set, or null. */
    static @Nullable RMISocketFactory get() {
        RMISocketFactory known = RMISocketFactory.getSocketFactory();
        return known == ONLY ? ONLY.ofProgram : known;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        RMISocketFactory own = ofProgram;
        return (own != null ? own : getDefaultSocketFactory()).createSocket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        RMISocketFactory own = ofProgram;
        if (own != null) {
            return own.createServerSocket(port);
        }
        RmiNode node = RmiNode.get();
        return node != null ? node.open(port) : getDefaultSocketFactory().createServerSocket(port);
    }
}
