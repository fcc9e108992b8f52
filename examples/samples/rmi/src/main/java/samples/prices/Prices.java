package samples.prices;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Prices extends Remote {

    int price(String article) throws RemoteException;

    Item item(int number) throws RemoteException;
}
