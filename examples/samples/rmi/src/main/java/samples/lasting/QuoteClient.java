package samples.lasting;

import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;

public class QuoteClient {

    public static void main(String[] args) throws Exception {
        Quote quote = (Quote) LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]))
                .lookup("quote");
        System.out.println(quote.price("tea"));
        quote.stop();
        while (true) {
            try {
                quote.price("tea");
            } catch (ConnectException
                    | ConnectIOException
                    | MarshalException
                    | NoSuchObjectException
                    | UnmarshalException e) {
                System.out.println("the server has ended");
                return;
            } catch (RemoteException e) {
                System.out.println(e);
                return;
            }
        }
    }
}
