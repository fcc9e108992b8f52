package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.call.Handle;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.local.LocalTransport;
import java.lang.reflect.Method;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RmiTest {

    /** As it would be written for RMI, unchanged. */
    public interface Account extends java.rmi.Remote {
        long balance(String owner) throws RemoteException, NotBoundException;

        void stop() throws RemoteException;
    }

    private static final class Bank implements Account {

        private Node node;

        @Override
        public long balance(String owner) throws NotBoundException {
            if (owner.isEmpty()) {
                throw new NotBoundException("nobody");
            }
            return owner.length();
        }

        @Override
        public void stop() {
            node.close();
        }
    }

    @Test
    void interfacesOfRmiWorkUnchanged() throws Exception {
        try (LocalTransport transport = LocalTransport.create();
                FakeBroker broker = FakeBroker.start(transport, Endpoint.local("broker-" + UUID.randomUUID()));
                Node server = Node.connect(options(transport, broker));
                Node client = Node.connect(options(transport, broker))) {
            Bank bank = new Bank();
            bank.node = server;
            server.bind("bank", bank);
            Account account = client.lookup("bank", Account.class);

            assertThat(account.balance("abc")).isEqualTo(3);
            assertThatThrownBy(() -> account.balance(""))
                    .isInstanceOf(NotBoundException.class)
                    .hasMessage("nobody");
            assertThatThrownBy(account::stop)
                    .isInstanceOf(RemoteException.class)
                    .hasCauseInstanceOf(CallException.class);
        }
    }

    public interface Left extends java.rmi.Remote {
        Object it() throws RemoteException;

        Object of(String text) throws RemoteException;
    }

    public interface Right extends java.rmi.Remote {
        String it() throws RemoteException;
    }

    /** Inherits a method twice, with results of different types, and narrows the result of another one. */
    public interface Both extends Left, Right {
        @Override
        Integer of(String text) throws RemoteException;
    }

    private static final class RealBoth implements Both {

        @Override
        public String it() {
            return "it";
        }

        @Override
        public Integer of(String text) {
            return text.length();
        }
    }

    @Test
    void methodsWhoseResultAnInterfaceNarrowsAreCalledThroughAllInterfaces() throws Throwable {
        try (LocalTransport transport = LocalTransport.create();
                FakeBroker broker = FakeBroker.start(transport, Endpoint.local("broker-" + UUID.randomUUID()));
                Node server = Node.connect(options(transport, broker));
                Node client = Node.connect(options(transport, broker))) {
            server.bind("both", new RealBoth());
            Both both = client.lookup("both", Both.class);

            assertThat(((Left) both).it()).isEqualTo("it");
            assertThat(((Right) both).it()).isEqualTo("it");
            assertThat(both.of("abc")).isEqualTo(3);
            assertThat(((Left) both).of("ab")).isEqualTo(2);
            Method send = both.getClass().getMethod("of$send", String.class);
            send.setAccessible(true);
            assertThat(((Handle) send.invoke(both, "abcd")).await()).isEqualTo(4);
        }
    }

    private static NodeOptions options(LocalTransport transport, FakeBroker broker) {
        return NodeOptions.DEFAULT.withTransport(transport).withBroker(broker.endpoint());
    }
}
