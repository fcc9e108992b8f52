package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.local.LocalTransport;
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

    private static NodeOptions options(LocalTransport transport, FakeBroker broker) {
        return NodeOptions.DEFAULT.withTransport(transport).withBroker(broker.endpoint());
    }
}
