package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.OverloadException;
import dev.cleave.ProtocolException;
import dev.cleave.RefusedTypeException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnexpectedException;
import java.rmi.UnknownHostException;
import java.rmi.UnmarshalException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RmiFailuresTest {

    private static final CallSite SITE = new CallSite("shop", "Shop.order", "shop-1", false);

    @Test
    void anObjectThatIsGoneHasTheMessageOfRmiAndNoCause() {
        CallException failure = new NoSuchReferenceException("gone", Execution.NOT_EXECUTED, SITE, null);

        RemoteException made = RmiFailures.of(failure);

        assertThat(made).isExactlyInstanceOf(NoSuchObjectException.class).hasMessage("no such object in table");
        assertThat(made.getCause()).isNull();
        assertThat(made.getSuppressed()).containsExactly(failure);
    }

    @Test
    void aPeerThatIsNotReachedIsToldFromOneThatWasLostDuringTheCall() {
        assertThat(RmiFailures.of(new ConnectionLostException("no one", Execution.NOT_EXECUTED, SITE, null)))
                .isExactlyInstanceOf(ConnectException.class);
        assertThat(RmiFailures.of(new ConnectionLostException(
                        "no one", Execution.NOT_EXECUTED, SITE, new java.net.UnknownHostException("x"))))
                .isExactlyInstanceOf(UnknownHostException.class);
        assertThat(RmiFailures.of(new ConnectionLostException("cut", Execution.MAYBE_EXECUTED, SITE, null)))
                .isExactlyInstanceOf(UnmarshalException.class);
    }

    @Test
    void aMethodThatTheServerLacksIsAnUnmarshalExceptionOfTheServer() {
        RemoteException made =
                RmiFailures.of(new NoSuchMethodOnServerException("none", Execution.NOT_EXECUTED, SITE, null));

        assertThat(made).isExactlyInstanceOf(ServerException.class);
        assertThat(made.getCause())
                .isExactlyInstanceOf(UnmarshalException.class)
                .hasMessageContaining("unrecognized method hash");
    }

    @Test
    void aValueThatTheCallerCannotReadHasTheExceptionOfSerializationAsItsCause() {
        for (Exception cause :
                new Exception[] {new ClassNotFoundException("Gone"), new InvalidClassException("other")}) {
            RemoteException made = RmiFailures.of(new ProtocolException(
                    "not readable", Execution.MAYBE_EXECUTED, SITE, new IllegalStateException(cause)));

            assertThat(made).isExactlyInstanceOf(UnmarshalException.class).hasCause(cause);
        }
    }

    @Test
    void anArgumentThatCannotBeWrittenOrReadIsToldByTheSideThatMetIt() {
        NotSerializableException cause = new NotSerializableException("Thing");

        assertThat(RmiFailures.of(new RefusedTypeException("here", Execution.NOT_EXECUTED, SITE, cause)))
                .isExactlyInstanceOf(MarshalException.class)
                .hasCause(cause);
        assertThat(RmiFailures.of(new ProtocolException("there", Execution.NOT_EXECUTED, SITE, null)))
                .isExactlyInstanceOf(ServerException.class)
                .hasCauseExactlyInstanceOf(UnmarshalException.class);
    }

    @Test
    void aDeadlineThatHasPassedIsATimeOutOfTheSocket() {
        CallException failure = new DeadlineException("late", Execution.MAYBE_EXECUTED, SITE, null);

        assertThat(RmiFailures.of(failure))
                .isExactlyInstanceOf(UnmarshalException.class)
                .hasCauseExactlyInstanceOf(SocketTimeoutException.class)
                .hasRootCause(failure);
    }

    @Test
    void anyOtherFailureIsARemoteExceptionThatHasItAsItsCause() {
        CallException failure = new OverloadException("full", Execution.NOT_EXECUTED, SITE, null);

        assertThat(RmiFailures.of(failure))
                .isExactlyInstanceOf(RemoteException.class)
                .hasCause(failure);
    }

    private interface Declaring {

        void declares() throws RemoteException, FileNotFoundException;
    }

    @Test
    void exceptionsThatTheMethodDoesNotDeclareAreUnexpected() throws Exception {
        Method method = Declaring.class.getDeclaredMethod("declares");
        for (Throwable expected : List.of(
                new FileNotFoundException("x"),
                new UnmarshalException("x"),
                new IllegalStateException(),
                new Error())) {
            assertThat(RmiFailures.asDeclared(expected, method)).isSameAs(expected);
        }
        IOException wider = new IOException("wider");

        assertThat(RmiFailures.asDeclared(wider, method))
                .isExactlyInstanceOf(UnexpectedException.class)
                .hasCause(wider);
        assertThat(RmiFailures.asDeclared(new Throwable("bare"), method)).isExactlyInstanceOf(UnmarshalException.class);
    }
}
