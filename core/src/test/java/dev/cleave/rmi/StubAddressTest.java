package dev.cleave.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import org.junit.jupiter.api.Test;

class StubAddressTest {

    public interface Bell extends Remote {

        String ring() throws RemoteException;
    }

    private static final class BellImpl implements Bell {

        @Override
        public String ring() {
            return "ding";
        }
    }

    @Test
    void aStubOfRmiIsMadeAgainFromItsAddress() throws Exception {
        BellImpl bell = new BellImpl();
        Remote stub = UnicastRemoteObject.exportObject(bell, 0);
        try {
            StubAddress address = StubAddress.of(stub);

            Bell made = (Bell) address.stub(Bell.class);

            assertThat(made).isEqualTo(stub);
            assertThat(made.ring()).isEqualTo("ding");
            assertThat(StubAddress.of(address.node(), address.endpoint(), address.number()))
                    .isEqualTo(address);
            assertThat(address.node()).isEqualTo(StubAddress.nodeHere());
        } finally {
            UnicastRemoteObject.unexportObject(bell, true);
        }
    }

    @Test
    void otherObjectsHaveNoAddress() throws Exception {
        assertThat(StubAddress.of("text")).isNull();
        assertThat(StubAddress.of(new BellImpl())).isNull();
        assertThat(StubAddress.isStub(new BellImpl())).isFalse();
    }
}
