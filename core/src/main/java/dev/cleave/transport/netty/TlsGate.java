package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.identity.HeldToken;
import dev.cleave.metrics.Denials;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Identities;
import dev.cleave.wire.Names;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Opens a channel once its TLS handshake is complete and the peer's identity is known; closes it if that fails. Event
 * loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
final class TlsGate extends ChannelInboundHandlerAdapter {

    private static final Denials DENIALS = new Denials(SafeLog.of(TlsGate.class));

    private final Tls encryption;
    private final SslHandler tls;
    private final NettyConnection connection;
    private final @Nullable Endpoint dialled; // null if the peer dialled
    private final Strangers strangers;
    private volatile @Nullable Throwable failure;

    /**
     * Creates the gate of a channel.
     *
     * @param dialled the endpoint with the identity that the peer must have, for a connection that this side dials
     * @param strangers the channels that have not passed their gates
     */
    TlsGate(
            Tls encryption,
            SslHandler tls,
            NettyConnection connection,
            @Nullable Endpoint dialled,
            Strangers strangers) {
        this.encryption = encryption;
        this.tls = tls;
        this.connection = connection;
        this.dialled = dialled;
        this.strangers = strangers;
    }

    /** Why the channel was closed; null if it has passed, or no handshake was complete. On any thread. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (dialled == null) {
            strangers.add(context.channel());
        }
        // The handlers behind this one hear of it when the handshake is complete.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent completed)) {
            context.fireUserEventTriggered(event);
            return;
        }
        strangers.remove(context.channel());
        try {
            if (!completed.isSuccess()) {
                throw completed.cause();
            }
            open();
        } catch (Throwable e) { // of the handshake, or of the certificate
            refuse(context, e);
            return;
        }
        context.fireChannelActive();
        context.pipeline().remove(this);
        context.executor().execute(() -> takeOver(context.channel())); // Netty's handler is at work now
    }

    /** Puts {@link TlsRecords} in the place of Netty's handler. */
    private void takeOver(Channel channel) {
        if (!channel.isActive() || channel.pipeline().context(tls) == null) {
            return;
        }
        channel.flush(); // nothing is left in Netty's handler, except bytes of the next record, which it passes on
        TlsRecords records = new TlsRecords(ReferenceCountUtil.retain(tls.engine()));
        channel.pipeline().replace(tls, null, records);
        connection.seal(records, encryption.room(channel, records));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        strangers.remove(context.channel());
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(context, cause);
    }

    private void refuse(ChannelHandlerContext context, Throwable cause) {
        if (failure == null) {
            failure = cause;
            if (dialled == null) {
                DENIALS.denied("tls", Names.shown(connection.peer().host()), "connection: " + Problems.tls(cause));
            }
        }
        context.close();
    }

    /** Lets the peer in: with the identity in its certificate, or with the duty to prove one by a token. */
    private void open() throws GeneralSecurityException, SSLException {
        X509Certificate[] chain = peer();
        if (chain.length == 0) {
            byte[] shown = tls.engine().getSession().getLocalCertificates()[0].getEncoded();
            connection.expectProof(encryption.proofCheck(shown, connection));
            return;
        }
        chain[0].checkValidity();
        String identity = Identities.of(chain[0]);
        if (dialled != null && !identity.equals(dialled.identity())) {
            throw new SSLException("the peer is " + identity + " (expected: " + dialled.identity() + ")");
        }
        connection.identity(identity);
        HeldToken token = dialled == null ? null : encryption.token();
        if (token != null) {
            byte[] shown = chain[0].getEncoded();
            connection.prover(challenge -> token.prove(challenge, shown));
        }
    }

    /** The certificates of the peer, which the handshake has found to be of an authority; none if it need not have one. */
    private X509Certificate[] peer() throws SSLPeerUnverifiedException {
        try {
            return Stream.of(tls.engine().getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException e) {
            if (dialled != null || !encryption.takesTokens()) {
                throw e;
            }
            return new X509Certificate[0];
        }
    }
}
